import type { AnyOperation } from '../../../platform/operation.ts'
import { designateAgentPackage } from './designate-agent-package.ts'
import { getInstallFile } from './get-install-file.ts'
import { getInstallScript } from './get-install-script.ts'
import { getWindowsInstaller } from './get-windows-installer.ts'
import { listAgentPackages } from './list-agent-packages.ts'
import { withdrawAgentPackage } from './withdraw-agent-package.ts'

export const agentInstallationApi: readonly AnyOperation[] = [
  listAgentPackages,
  designateAgentPackage,
  withdrawAgentPackage,
  getInstallScript,
  getWindowsInstaller,
  getInstallFile,
]
