import type { AnyOperation } from '../../../platform/operation.ts'
import { getOsDeploymentReadiness } from './get-os-deployment-readiness.ts'

export const osDeploymentApi: readonly AnyOperation[] = [getOsDeploymentReadiness]
