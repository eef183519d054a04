import { sql } from 'kysely'
import { ok, operation } from '../../../platform/operation.ts'
import { patchOf } from '../../../platform/schema.ts'
import { getLicence } from './get-licence.ts'
import { duplicateLicenceName, licenceNotFound } from './problems.ts'
import { requireLicence } from './require-licence.ts'
import { Licence, LicencePath, licenceProperties } from './schemas.ts'

export const updateLicence = operation({
  id: 'updateLicence',
  route: 'PATCH /api/licences/:id',
  summary: 'Change a licence',
  role: 'package.write',
  extension: true,
  params: LicencePath,
  body: patchOf(licenceProperties, { title: 'UpdateLicenceRequest' }),
  returns: ok(Licence),
  problems: [licenceNotFound, duplicateLicenceName],
  changes: getLicence,
  async handle({ params, body: { name, productPattern, owned }, db }) {
    await sql`
      update licences set name = coalesce(${name}, name), product_pattern = coalesce(${productPattern}, product_pattern),
        owned = coalesce(${owned}::integer, owned)
      where id = ${params.id}`.execute(db)
    return requireLicence(db, params.id)
  },
})
