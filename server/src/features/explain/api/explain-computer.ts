import type { Database } from '../../../database/connect.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { closed, Id, type Static, Type, text, Uuid } from '../../../platform/schema.ts'
import { invalidPart } from '../../../platform/validation.ts'
import { expectedStart, findExpectedContact } from '../../agents/expected-contacts.ts'
import { ComputerPath } from '../../computers/api/schemas.ts'
import { computerNotFound, requireComputer } from '../../computers/computers.ts'
import { packageNotFound } from '../../packages/problems.ts'
import { patchNotFound } from '../../patches/problems.ts'
import { variableNotFound } from '../../variables/definitions.ts'
import { explainOperatingSystem } from '../explain-operating-system.ts'
import { explainPackage } from '../explain-package.ts'
import { explainPatch } from '../explain-patch.ts'
import { explainSetting } from '../explain-setting.ts'
import { explainVariable } from '../explain-variable.ts'
import { ComputerExplanation, type Explanation } from './schemas.ts'

const SubjectQuery = closed({
  packageId: Type.Optional({ ...Uuid, description: 'Explain a package, whatever its kind' }),
  variableId: Type.Optional({ ...Id, description: 'Explain the value of a variable' }),
  variable: Type.Optional(text(255, 'Proxy.Server', 'Explain the value of the variable with this name')),
  patchId: Type.Optional({ ...Id, description: 'Explain a patch' }),
  operatingSystem: Type.Optional(
    Type.Boolean({ examples: [true], description: 'Explain the operating system that is to be installed' }),
  ),
  setting: Type.Optional(text(100, 'contactIntervalMinutes', 'Explain a setting of the agent')),
})

type Subject = Static<typeof SubjectQuery>

export const explainComputer = operation({
  id: 'explainComputer',
  route: 'GET /api/computer/:id/explain',
  summary: 'Explain why a computer has, lacks or waits for something',
  description:
    'Give exactly one of the query parameters. The answer has the assignments or values within reach and what beats them, ' +
    'the distribution options and their source, the open work item, and everything that keeps it from the computer now. ' +
    'The rules that list the blockers are those by which work is handed out: an agent gets the work item at its next ' +
    'contact if and only if `blockers` is empty. Between contacts, it is assumed that the agent runs in the operating ' +
    'system and that its user has requested no optional package.',
  role: 'computer.read',
  params: ComputerPath,
  query: SubjectQuery,
  returns: ok(ComputerExplanation),
  problems: [computerNotFound, packageNotFound, variableNotFound, patchNotFound],
  extension: true,
  async handle({ params: { id }, query, db }) {
    const { operatingSystem, ...others } = query
    const given = Object.values({ ...others, ...(operatingSystem && { operatingSystem }) })
    if (given.filter((value) => value !== undefined).length !== 1)
      throw invalidPart('query', 'packageId', 'or exactly one other parameter that names a subject must be given')
    await requireComputer(db, id)
    const { earliestRun, relations, ruling = null, ...explanation } = await explain(db, id, query)
    const contact = await findExpectedContact(db, id)
    const { work } = explanation
    return {
      clientId: id,
      ...explanation,
      ...(relations ?? { requirements: [], requiredBy: [] }),
      ruling,
      nextRunUtc:
        earliestRun && work && contact
          ? expectedStart({ earliest: earliestRun, createdAt: work.createdUtc }, contact, new Date())
          : null,
      nextContactUtc: contact?.at ?? null,
      connectedNow: contact?.isConnected ?? false,
    }
  },
})

function explain(db: Database, computerId: number, subject: Subject): Promise<Explanation> {
  const { packageId, variableId, variable, patchId, setting } = subject
  if (packageId !== undefined) return explainPackage(db, computerId, packageId)
  if (variableId !== undefined) return explainVariable(db, computerId, { id: variableId })
  if (variable !== undefined) return explainVariable(db, computerId, { name: variable })
  if (patchId !== undefined) return explainPatch(db, computerId, patchId)
  if (setting !== undefined) return explainSetting(db, computerId, setting)
  return explainOperatingSystem(db, computerId)
}
