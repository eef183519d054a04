import { closed, type Static, Type, text } from '@muster/schema'

const version = (example: string, description: string) =>
  Type.Optional(Type.String({ maxLength: 100, pattern: '^[0-9]+(\\.[0-9]+)*$', examples: [example], description }))

const listOf = (example: string, description: string) =>
  Type.Optional(
    Type.Array(text(255, example), {
      minItems: 1,
      maxItems: 50,
      examples: [[example]],
      description: `${description}: any of these`,
    }),
  )

const values = (example: string) =>
  Type.Array(text(255, example), {
    minItems: 1,
    maxItems: 50,
    examples: [[example]],
    description: 'Any of these, in upper or lower case',
  })

const bounds = {
  min: version('10.0.22000', 'This version or a later one'),
  below: version('11', 'Only versions before this one'),
}

/** What a computer must have or be before a package is installed there. All of it must be true; what is not known counts as true. */
export const PackageConditions = closed(
  {
    osVersion: Type.Optional(closed(bounds, { title: 'PackageOsVersion' })),
    osEditions: listOf('Professional', 'Edition of the operating system, as the inventory names it'),
    architectures: listOf('x64', 'Architecture of the operating system'),
    minMemoryMb: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100_000_000, examples: [8192], description: 'Memory in megabytes' }),
    ),
    minFreeDiskGb: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        examples: [20],
        description: 'Free space in gigabytes on one of the fixed drives',
      }),
    ),
    software: Type.Optional(
      Type.Array(
        closed(
          {
            name: text(255, 'LibreOffice', 'Name of the product, as the inventory names it'),
            ...bounds,
            absent: Type.Optional(
              Type.Boolean({ default: false, examples: [true], description: 'The product must not be installed' }),
            ),
          },
          { title: 'PackageSoftwareCondition' },
        ),
        { maxItems: 20, description: 'Installed software' },
      ),
    ),
    customFields: Type.Optional(
      Type.Array(
        closed(
          { name: text(50, 'Location', 'Designation of a custom field'), values: values('Berlin') },
          { title: 'PackageFieldCondition' },
        ),
        { maxItems: 20, description: 'Custom fields of the computer that have one of these values' },
      ),
    ),
    variables: Type.Optional(
      Type.Array(
        closed(
          {
            name: text(255, 'Office.Channel', 'Dotted name of a variable that is not secret'),
            values: values('Stable'),
          },
          { title: 'PackageVariableCondition' },
        ),
        { maxItems: 20, description: 'Variables whose effective value for the computer is one of these' },
      ),
    ),
  },
  {
    title: 'PackageConditions',
    description:
      'Computers that the package is for, besides their operating system. On others, it is not applicable, and nothing fails.',
  },
)

export type ManifestConditions = Static<typeof PackageConditions>
