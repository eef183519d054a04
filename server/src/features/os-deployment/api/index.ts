import type { AnyOperation } from '../../../platform/operation.ts'
import { confirmOsInstallation } from './confirm-os-installation.ts'
import { getOsDeploymentReadiness } from './get-os-deployment-readiness.ts'
import { getOsInstallation } from './get-os-installation.ts'
import { listOsInstallations } from './list-os-installations.ts'

export const osDeploymentApi: readonly AnyOperation[] = [
  getOsDeploymentReadiness,
  getOsInstallation,
  confirmOsInstallation,
  listOsInstallations,
]
