import { findJsonExcess } from '@muster/schema'
import { DocumentFault, type PatchDocument } from './patch-document.ts'
import { catalogFormat, readCatalogDocument } from './read-catalog-document.ts'
import { readCsaf } from './read-csaf.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Reads a document in the given format, or in the format that the document declares. */
export function readDocument(content: Buffer, format: 'Csaf' | 'Muster' | null): PatchDocument {
  const parsed = parse(content)
  const isCatalog = (parsed as { format?: unknown } | null)?.format === catalogFormat
  return (format ?? (isCatalog ? 'Muster' : 'Csaf')) === 'Muster' ? readCatalogDocument(parsed) : readCsaf(parsed)
}

function parse(content: Buffer): unknown {
  // Also because the validator calls itself for nested branches.
  const excess = findJsonExcess(content)
  if (excess !== undefined) throw new DocumentFault(excess)
  try {
    return JSON.parse(utf8.decode(content))
  } catch (error) {
    throw new DocumentFault(
      error instanceof TypeError ? 'is not valid UTF-8' : `is not valid JSON: ${formatParseError(error)}`,
    )
  }
}

// The message quotes the document, which may contain any characters.
const formatParseError = (error: unknown) =>
  (error as Error).message
    .toWellFormed()
    .replace(/[\p{Cc}]/gu, ' ')
    .slice(0, 200)
