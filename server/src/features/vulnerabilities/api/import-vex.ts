import { ok, operation } from '../../../platform/operation.ts'
import { invalidPart } from '../../../platform/validation.ts'
import { computerNotFound, pinComputer } from '../../computers/computers.ts'
import { groupNotFound, pinGroup } from '../../groups/groups.ts'
import { DocumentFault } from '../../patches/catalog/patch-document.ts'
import { readVex } from '../vex/read-vex.ts'
import { recordStatements } from '../vex/record-statements.ts'
import { VexImport, VexImportRequest } from '../vex/schemas.ts'
import { requireOneScope } from './vex-scope.ts'

const maxFaults = 1_000

export const importVex = operation({
  id: 'importVex',
  route: 'POST /api/vulnerability-exceptions/vex',
  summary: 'Take over decisions about vulnerabilities from VEX',
  description:
    'Creates an exception for each statement of a document of CycloneDX or CSAF that something is not affected. It is for the package that the ' +
    'document names by its package URL, in that version if there is one; only documents of Muster speak about all packages, and about ' +
    'risks that are accepted. The same document again changes nothing. The importer vouches for what the document says.',
  role: 'pm.approve',
  body: VexImportRequest,
  returns: ok(VexImport),
  problems: [groupNotFound, computerNotFound],
  extension: true,
  async handle({ body, db, caller }) {
    const { document, groupId, computerId } = body
    requireOneScope(body, 'body')
    if (groupId !== undefined) await pinGroup(db, groupId)
    if (computerId !== undefined) await pinComputer(db, computerId)
    const content = read(document)
    const recorded = await recordStatements(db, content.statements, {
      scope: { groupId, computerId },
      approvedBy: caller.principal.name,
    })
    const refused = [...content.refused, ...recorded.refused]
    return {
      created: recorded.created,
      unchanged: recorded.unchanged,
      ignored: content.ignored + recorded.ignored,
      refused: refused.length,
      faults: refused.slice(0, maxFaults),
    }
  },
})

function read(document: Record<string, unknown>) {
  try {
    return readVex(document)
  } catch (error) {
    throw error instanceof DocumentFault ? invalidPart('body', 'document', error.message) : error
  }
}
