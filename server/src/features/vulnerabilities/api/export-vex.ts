import { ok, operation } from '../../../platform/operation.ts'
import { computerNotFound } from '../../computers/computers.ts'
import { groupNotFound } from '../../groups/groups.ts'
import { readExceptions, readSubject } from '../vex/exported-exceptions.ts'
import { CycloneDxVex, VexQuery } from '../vex/schemas.ts'
import { writeCycloneDxVex } from '../vex/write-cyclonedx-vex.ts'
import { requireOneScope } from './vex-scope.ts'

export const exportVex = operation({
  id: 'exportVex',
  route: 'GET /api/vulnerability-exceptions/vex',
  summary: 'Get the exceptions in force as VEX in the format of CycloneDX',
  description:
    'Those that cover the whole fleet; with `groupId` or `computerId`, those that cover all computers of the group or the computer. ' +
    'A document of CycloneDX 1.6, which `importVex` takes over.',
  role: 'pm.read',
  query: VexQuery,
  returns: ok(CycloneDxVex),
  problems: [groupNotFound, computerNotFound],
  extension: true,
  async handle({ query, db, setHeader }) {
    requireOneScope(query, 'query')
    const subject = await readSubject(db, query)
    setHeader('content-disposition', 'attachment; filename="exceptions.cdx.json"')
    return writeCycloneDxVex(subject, await readExceptions(db, subject))
  },
})
