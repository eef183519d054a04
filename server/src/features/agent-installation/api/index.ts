import type { AnyOperation } from '../../../platform/operation.ts'
import { getInstallFile } from './get-install-file.ts'
import { getInstallScript } from './get-install-script.ts'
import { getWindowsInstaller } from './get-windows-installer.ts'

export const agentInstallationApi: readonly AnyOperation[] = [getInstallScript, getWindowsInstaller, getInstallFile]
