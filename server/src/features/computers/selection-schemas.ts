import { Int32, Type } from '../../platform/schema.ts'

/** The computers that people have selected in a list. Its length is limited by the size of a request. */
export const selectedIds = (maxItems: number) =>
  Type.Array(
    { ...Int32, minimum: 1 },
    {
      minItems: 1,
      maxItems,
      description: `1 to ${groupThousands(maxItems)} computer ids. Duplicates are processed once`,
      examples: [[17, 42]],
    },
  )

/** Loading the data of a language for this one number would be a part of the start of every program. */
const groupThousands = (number: number) => String(number).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')

export const maxSelection = 100_000

export const selectionCount = (description: string, example: number) => ({
  ...Int32,
  minimum: 0,
  examples: [example],
  description,
})

export const notFoundCount = selectionCount('Ids that no computer has', 0)
