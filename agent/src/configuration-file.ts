import { loadEnvFile } from 'node:process'
import { codeOf } from './expected-error.ts'
import type { Platform } from './platform/platform.ts'

/**
 * Adds the variables of the configuration file to the environment, which has precedence. Users that may not read the file
 * have none of them.
 */
export function loadConfigurationFile({ paths }: Platform): void {
  try {
    loadEnvFile(process.env.MUSTER_AGENT_CONFIGURATION ?? paths.configuration)
  } catch (error) {
    if (!['ENOENT', 'EACCES', 'ENOTDIR'].includes(codeOf(error) ?? '')) throw error
  }
}
