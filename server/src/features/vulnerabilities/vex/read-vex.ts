import { checkDocument } from '../../patches/catalog/check-document.ts'
import { csafSchema } from '../../patches/catalog/csaf-schema.ts'
import type { Csaf } from '../../patches/catalog/csaf-types.ts'
import { DocumentFault } from '../../patches/catalog/patch-document.ts'
import { readCsafVex } from './read-csaf-vex.ts'
import { readCycloneDxVex } from './read-cyclonedx-vex.ts'
import type { VexContent } from './statements.ts'

/** Reads a document in the format of CycloneDX or CSAF. Throws `DocumentFault` if it is neither. */
export function readVex(document: Record<string, unknown>): VexContent {
  if (document.bomFormat === 'CycloneDX') return readCycloneDxVex(document)
  if (typeof document.document !== 'object') throw new DocumentFault('is neither a document of CycloneDX nor of CSAF')
  checkDocument(csafSchema, document)
  return readCsafVex(document as unknown as Csaf)
}
