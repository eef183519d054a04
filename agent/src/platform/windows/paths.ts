import { join } from 'node:path'
import type { Paths } from '../platform.ts'

/** Only SYSTEM and administrators can read it. */
export const dataFolder = () => join(process.env.ProgramData ?? 'C:\\ProgramData', 'Muster')

export const paths: Paths = {
  state: dataFolder,
  configuration: join(dataFolder(), 'agent.env'),
}
