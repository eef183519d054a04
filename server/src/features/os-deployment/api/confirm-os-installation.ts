import { noContent, operation } from '../../../platform/operation.ts'
import { ComputerPath } from '../../computers/api/schemas.ts'
import { computerNotFound } from '../../computers/computers.ts'
import { confirmReportOf } from '../confirm-report.ts'
import { lockInstallation } from '../lock-installation.ts'
import { noReportToConfirm } from './problems.ts'
import { OsInstallationConfirmation } from './schemas.ts'

export const confirmOsInstallation = operation({
  id: 'confirmOsInstallation',
  route: 'POST /api/computer/:id/os-installation/confirmation',
  summary: 'Confirm what the installer of a computer has reported',
  description:
    'Lets the report of one address count, as the enrolment of an agent would: closes the work item of the installation and ' +
    'ends PXE for the computer.',
  role: 'activation.execute',
  extension: true,
  params: ComputerPath,
  body: OsInstallationConfirmation,
  returns: noContent,
  problems: [computerNotFound, noReportToConfirm],
  async handle({ params: { id: clientId }, body: { address }, db }) {
    await lockInstallation(db, clientId)
    if (!(await confirmReportOf(db, clientId, address))) throw noReportToConfirm({ clientId })
  },
})
