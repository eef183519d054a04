import { ok, operation } from '../../../platform/operation.ts'
import { computerNotFound } from '../../computers/computers.ts'
import { groupNotFound } from '../../groups/groups.ts'
import { readExceptions, readSubject } from '../vex/exported-exceptions.ts'
import { CsafVex, VexQuery } from '../vex/schemas.ts'
import { writeCsafVex } from '../vex/write-csaf-vex.ts'
import { noExceptionInForce } from './problems.ts'
import { requireOneScope } from './vex-scope.ts'

/** Stands for an installation that does not say under which address people reach it. */
const unknownAddress = 'urn:muster:installation'

export const exportCsafVex = operation({
  id: 'exportCsafVex',
  route: 'GET /api/vulnerability-exceptions/csaf',
  summary: 'Get the exceptions in force as VEX in the format of CSAF',
  description:
    'The same as `exportVex`, in the profile VEX of CSAF 2.0. Such a document is about one vulnerability at least, so there is none ' +
    'without an exception. The publisher is the address in MUSTER_PUBLIC_URL.',
  role: 'pm.read',
  query: VexQuery,
  returns: ok(CsafVex),
  problems: [groupNotFound, computerNotFound, noExceptionInForce],
  extension: true,
  async handle({ query, db, services, setHeader }) {
    requireOneScope(query, 'query')
    const subject = await readSubject(db, query)
    const exceptions = await readExceptions(db, subject)
    if (exceptions.length === 0) throw noExceptionInForce({ ...subject.scope })
    setHeader('content-disposition', 'attachment; filename="exceptions.csaf.json"')
    return writeCsafVex(subject, exceptions, services.configuration.publicUrl ?? unknownAddress)
  },
})
