import { loadEnvFile } from 'node:process'
import { codeOf } from '../expected-error.ts'

/**
 * Adds the variables of the configuration file to the environment, which has precedence. Users that may not read the file
 * have none of them.
 */
export function loadConfigurationFile(): void {
  try {
    loadEnvFile(process.env.MUSTER_AGENT_CONFIGURATION ?? '/etc/muster-agent/agent.env')
  } catch (error) {
    if (!['ENOENT', 'EACCES', 'ENOTDIR'].includes(codeOf(error) ?? '')) throw error
  }
}
