import { expect, test } from 'vitest'
import { createLicence } from '../../src/features/licences/api/create-licence.ts'
import { deleteLicence } from '../../src/features/licences/api/delete-licence.ts'
import { getLicence } from '../../src/features/licences/api/get-licence.ts'
import { listLicences } from '../../src/features/licences/api/list-licences.ts'
import { updateLicence } from '../../src/features/licences/api/update-licence.ts'
import { openWorld } from '../world/open-world.ts'

const { as } = await openWorld()
const [reader, writer] = [as('computer.read'), as('package.write', 'computer.read')]

test('a licence is created, changed, listed by name and deleted', async () => {
  const { body } = await writer.call(createLicence, { body: { name: 'Drawing', productPattern: 'Draw*', owned: 3 } })
  const twin = await writer.call(createLicence, { body: { name: 'drawing', productPattern: 'x', owned: 1 } })
  expect(twin.problem).toBe('DuplicateLicenceName')
  await writer.call(createLicence, { body: { name: 'Archiver', productPattern: 'Arch?', owned: 0 } })
  const changed = await writer.call(updateLicence, { params: { id: body.id }, body: { owned: 5 } })
  expect(changed.body).toEqual({ ...body, owned: 5 })
  expect((await reader.call(listLicences)).body.items.map(({ name, owned }) => [name, owned])).toEqual([
    ['Archiver', 0],
    ['Drawing', 5],
  ])
  expect((await reader.call(deleteLicence, { params: { id: body.id } })).problem).toBe('Forbidden')
  expect((await writer.call(deleteLicence, { params: { id: body.id } })).status).toBe(204)
  expect((await reader.call(getLicence, { params: { id: body.id } })).problem).toBe('LicenceNotFound')
})
