import type { AnyOperation } from '../../../platform/operation.ts'
import { getInstallFile } from './get-install-file.ts'
import { getInstallScript } from './get-install-script.ts'

export const agentInstallationApi: readonly AnyOperation[] = [getInstallScript, getInstallFile]
