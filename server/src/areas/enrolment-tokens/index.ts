import type { Area } from '../../platform/operation.ts'
import { allowComputerReEnrolment } from './allow-computer-re-enrolment.ts'
import { createEnrolmentToken } from './create-enrolment-token.ts'
import { forbidComputerReEnrolment } from './forbid-computer-re-enrolment.ts'
import { listEnrolmentTokens } from './list-enrolment-tokens.ts'
import { revokeEnrolmentToken } from './revoke-enrolment-token.ts'

export const enrolmentTokens: Area = {
  name: 'Enrolment',
  description: 'How agents are let in for the first time.',
  operations: [
    listEnrolmentTokens,
    createEnrolmentToken,
    revokeEnrolmentToken,
    allowComputerReEnrolment,
    forbidComputerReEnrolment,
  ],
}
