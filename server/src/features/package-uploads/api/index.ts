import type { AnyOperation } from '../../../platform/operation.ts'
import { continuePackageUpload } from './continue-package-upload.ts'
import { createPackageUpload } from './create-package-upload.ts'
import { deletePackageUpload } from './delete-package-upload.ts'
import { downloadPackage } from './download-package.ts'
import { getPackageUpload } from './get-package-upload.ts'
import { getPackageUploadProposal } from './get-package-upload-proposal.ts'
import { importPackageUpload } from './import-package-upload.ts'
import { listPackageUploads } from './list-package-uploads.ts'
import { planPackageRecipes } from './plan-package-recipes.ts'

export const packageUploadsApi: readonly AnyOperation[] = [
  listPackageUploads,
  createPackageUpload,
  getPackageUpload,
  continuePackageUpload,
  deletePackageUpload,
  getPackageUploadProposal,
  importPackageUpload,
  downloadPackage,
  planPackageRecipes,
]
