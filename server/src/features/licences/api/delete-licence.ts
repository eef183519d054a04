import { noContent, operation } from '../../../platform/operation.ts'
import { getLicence } from './get-licence.ts'
import { licenceNotFound } from './problems.ts'
import { LicencePath } from './schemas.ts'

export const deleteLicence = operation({
  id: 'deleteLicence',
  route: 'DELETE /api/licences/:id',
  summary: 'Delete a licence',
  role: 'package.write',
  extension: true,
  params: LicencePath,
  returns: noContent,
  problems: [licenceNotFound],
  changes: getLicence,
  async handle({ params, db }) {
    const { numDeletedRows } = await db.deleteFrom('licences').where('id', '=', params.id).executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) throw licenceNotFound({ licenceId: params.id })
  },
})
