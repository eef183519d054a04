import { closed, Instant, Int32, nameText, Uuid } from '../../../platform/schema.ts'

export const LicencePath = closed({ id: Uuid })

export const licenceProperties = {
  name: nameText(255, 'Drawing program, floating'),
  productPattern: nameText(
    255,
    'Drawing Program*',
    'Name of the installed software that needs the licence, regardless of case; * is any text, ? any character',
  ),
  owned: { ...Int32, minimum: 0, examples: [250], description: 'The number of computers that may have it' },
}

export const Licence = closed({ id: Uuid, ...licenceProperties, createdAtUtc: Instant }, { title: 'Licence' })

export const LicenceRequest = closed(licenceProperties, { title: 'CreateLicenceRequest' })
