import { closed, Int32, nullable } from '../../../platform/schema.ts'

const days = (severity: string, example: number | null) =>
  nullable({
    ...Int32,
    minimum: 1,
    maximum: 3_650,
    examples: [example],
    description: `Days after the release within which a patch that is ${severity} has to be installed; null: no SLA`,
  })

export const PatchSla = closed(
  {
    critical: days('critical', 7),
    important: days('important', 14),
    moderate: days('moderate', 30),
    low: days('low', 90),
    unrated: days('not rated', null),
  },
  { title: 'PatchSla' },
)
