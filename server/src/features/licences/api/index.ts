import type { AnyOperation } from '../../../platform/operation.ts'
import { createLicence } from './create-licence.ts'
import { deleteLicence } from './delete-licence.ts'
import { getLicence } from './get-licence.ts'
import { listLicences } from './list-licences.ts'
import { updateLicence } from './update-licence.ts'

export const licencesApi: readonly AnyOperation[] = [
  listLicences,
  createLicence,
  getLicence,
  updateLicence,
  deleteLicence,
]
