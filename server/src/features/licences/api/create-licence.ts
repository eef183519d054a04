import { created, operation } from '../../../platform/operation.ts'
import { getLicence } from './get-licence.ts'
import { duplicateLicenceName } from './problems.ts'
import { requireLicence } from './require-licence.ts'
import { Licence, LicenceRequest } from './schemas.ts'

export const createLicence = operation({
  id: 'createLicence',
  route: 'POST /api/licences',
  summary: 'Create a licence',
  role: 'package.write',
  extension: true,
  body: LicenceRequest,
  returns: created(Licence),
  problems: [duplicateLicenceName],
  shows: getLicence,
  async handle({ body: { name, productPattern, owned }, db }) {
    const { id } = await db
      .insertInto('licences')
      .values({ name, product_pattern: productPattern, owned })
      .returning('id')
      .executeTakeFirstOrThrow()
    return requireLicence(db, id)
  },
})
