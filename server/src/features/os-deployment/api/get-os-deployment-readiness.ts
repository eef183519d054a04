import { ok, operation } from '../../../platform/operation.ts'
import { OsDeploymentReadiness } from '../../assignments/api/effective/schemas.ts'
import { findOsDeployment } from '../../assignments/os-deployment-readiness.ts'
import { ComputerPath } from '../../computers/api/schemas.ts'
import { computerNotFound } from '../../computers/computers.ts'

export const getOsDeploymentReadiness = operation({
  id: 'getOsDeploymentReadiness',
  route: 'GET /api/computer/:id/os-deployment-readiness',
  summary: 'Check whether an operating system can be installed on a computer',
  description:
    'The computer is ready if an OS image edition and a PXE boot image are effective for it, both are Ready to Install and ' +
    'not for another architecture, and the computer supports PXE and its MAC address is known. Otherwise, `missing` lists what to do before activating it with pxe=true.',
  role: 'computer.read',
  params: ComputerPath,
  returns: ok(OsDeploymentReadiness),
  problems: [computerNotFound],
  async handle({ params, db }) {
    const found = await findOsDeployment(db, params.id)
    if (!found) throw computerNotFound({ clientId: params.id })
    return { ready: found.missing.length === 0, ...found }
  },
})
