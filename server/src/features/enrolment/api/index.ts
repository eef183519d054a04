import type { AnyOperation } from '../../../platform/operation.ts'
import { allowComputerReEnrolment } from './allow-computer-re-enrolment.ts'
import { createEnrolmentToken } from './create-enrolment-token.ts'
import { forbidComputerReEnrolment } from './forbid-computer-re-enrolment.ts'
import { listEnrolmentTokens } from './list-enrolment-tokens.ts'
import { revokeEnrolmentToken } from './revoke-enrolment-token.ts'

export const enrolmentApi: readonly AnyOperation[] = [
  listEnrolmentTokens,
  createEnrolmentToken,
  revokeEnrolmentToken,
  allowComputerReEnrolment,
  forbidComputerReEnrolment,
]
