import { ownAgentCommands } from '../../../installation/commands.ts'
import { thisInstallation } from '../../../installation/files.ts'
import { requireRole } from '../../../platform/authentication/authenticate.ts'
import { forbidden } from '../../../platform/general-problems.ts'
import { findPublicOrigin } from '../../../platform/http/public-origin.ts'
import { created, operation } from '../../../platform/operation.ts'
import { invalidPart } from '../../../platform/validation.ts'
import { findAgentPackage, findWindowsInstaller } from '../../agent-installation/agent-package.ts'
import { notEditableTree } from '../../groups/api/problems.ts'
import { groupNotFound, isComputerTree, isSpecial, pinGroup, specialGroup } from '../../groups/groups.ts'
import { newSecret } from '../../principals/principals.ts'
import { enrolmentCommands, isInsecure } from '../enrolment-commands.ts'
import { enrolmentTokenRows } from '../enrolment-tokens.ts'
import { CreatedEnrolmentToken, EnrolmentTokenRequest } from './schemas.ts'

export const createEnrolmentToken = operation({
  id: 'createEnrolmentToken',
  route: 'POST /api/enrolment-tokens',
  summary: 'Create an enrolment token',
  description:
    'Agents exchange the token for a credential. A token that names a group also requires the role group.write. The answer is the only place that shows the token, and commands with which computers enrol; the service stores its hash.',
  role: 'admin.manage',
  body: EnrolmentTokenRequest,
  returns: created(CreatedEnrolmentToken),
  problems: [forbidden, groupNotFound, specialGroup, notEditableTree],
  extension: true,
  async handle({
    body: { description = null, groupId = null, maxUses = null, expiresAtUtc },
    db,
    caller,
    services,
    request,
  }) {
    if (expiresAtUtc <= new Date()) throw invalidPart('body', 'expiresAtUtc', 'must be in the future')
    if (groupId !== null) {
      requireRole(caller.principal, 'group.write')
      const { kind, tree } = await pinGroup(db, groupId)
      if (!isComputerTree(tree)) throw notEditableTree({ groupId })
      if (isSpecial(kind)) throw specialGroup({ groupId })
    }
    const token = `enrol-${newSecret()}`
    const { id } = await db
      .insertInto('enrolment_tokens')
      .values({
        token_hash: services.keys.hashSecret(token),
        description,
        group_id: groupId,
        max_uses: maxUses,
        expires_at: expiresAtUtc,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const stored = await enrolmentTokenRows(db).where('enrolment_tokens.id', '=', id).executeTakeFirstOrThrow()
    const origin = findPublicOrigin(services.configuration, request)
    const forLinux = await findAgentPackage(db, services.configuration, 'Linux')
    const forWindows = await findAgentPackage(db, services.configuration, 'Windows')
    const served = {
      hasLinuxPackage: forLinux !== undefined,
      windowsInstaller: forWindows && findWindowsInstaller(forWindows),
    }
    const installs = { linux: served.hasLinuxPackage, windows: served.windowsInstaller !== undefined }
    if (!origin) return { ...stored, token, commands: null, installs, ownMachine: null }
    const own = { origin, token, isInsecure: isInsecure(origin) }
    return {
      ...stored,
      token,
      commands: enrolmentCommands(origin, token, served),
      installs,
      ownMachine: ownAgentCommands(thisInstallation, services.configuration, own) ?? null,
    }
  },
})
