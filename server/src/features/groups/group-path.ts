import { Type } from '../../platform/schema.ts'

/** The names of a group and of its ancestors. There is no limit for how deep groups are, and none for their paths. */
export const groupPath = (description: string) =>
  Type.String({ examples: ['Configuration/Berlin/Workstations'], description })
