import { sql } from 'kysely'
import { type JobAttempt, JobFailure } from '../../../jobs/run-attempt.ts'
import { type CatalogFile, listCatalogFiles, readCatalogFile } from '../catalog/catalog-files.ts'
import { DocumentFault } from '../catalog/patch-document.ts'
import { readDocument } from '../catalog/read-document.ts'
import { type HashedDocument, listKnownHashes, writeDocuments } from '../catalog/write-documents.ts'
import { requestAllDownloadsInUse } from '../files/request-downloads.ts'

export type PatchImportInput = { path: string; format: 'Csaf' | 'Muster' | null }

type Fault = { file: string; reason: string }
type ReadFile = { file: CatalogFile; content: Buffer; hash: Buffer }

/** Limits of one batch: large enough for few transactions, small enough for constant memory. */
const maxBatchFiles = 100
const maxBatchBytes = 16 * 1024 * 1024
const maxFaults = 1_000

/**
 * Imports the documents of a folder into the patch catalog, one batch per transaction. If the job fails, the batches that
 * are already written stay.
 */
export async function runPatchImport(attempt: JobAttempt): Promise<void> {
  const { path, format } = attempt.input as PatchImportInput
  const files = await listCatalogFiles(attempt.configuration.packageStore, path).catch((error: unknown) => {
    throw error instanceof DocumentFault ? new JobFailure(error.message) : error
  })
  if (files.length === 0) throw new JobFailure('The path contains no JSON document.')
  const run = new ImportRun(attempt, format)
  // The database writes a batch while this process reads the next one.
  let writing: Promise<void> = Promise.resolve()
  try {
    for await (const { batch, share } of listBatches(files, run, attempt.signal)) {
      const documents = await run.parse(batch)
      await writing
      writing = run.write(documents)
      writing.catch(() => {})
      attempt.progress(share)
    }
    await writing
  } finally {
    // No transaction of this attempt may outlive it.
    await writing.catch(() => {})
  }
  await run.finish()
}

async function* listBatches(files: readonly CatalogFile[], run: ImportRun, signal: AbortSignal) {
  let batch: ReadFile[] = []
  let bytes = 0
  for (const [at, file] of files.entries()) {
    signal.throwIfAborted()
    const read = await run.read(file)
    if (read) batch.push(read)
    bytes += read?.content.length ?? 0
    if (batch.length < maxBatchFiles && bytes < maxBatchBytes && at < files.length - 1) continue
    yield { batch, share: (at + 1) / files.length }
    batch = []
    bytes = 0
  }
}

class ImportRun {
  readonly #attempt: JobAttempt
  readonly #format: PatchImportInput['format']
  readonly #counts = { documents: 0, imported: 0, without_fix: 0, unchanged: 0, refused: 0 }
  readonly #faults: Fault[] = []
  #newest: { revisedAt: Date; version: string } | undefined

  constructor(attempt: JobAttempt, format: PatchImportInput['format']) {
    this.#attempt = attempt
    this.#format = format
  }

  async read(file: CatalogFile): Promise<ReadFile | undefined> {
    this.#counts.documents++
    try {
      return { file, ...(await readCatalogFile(file)) }
    } catch (error) {
      this.#refuse(file, error)
      return undefined
    }
  }

  /** Parses the documents that are not imported yet. */
  async parse(batch: readonly ReadFile[]): Promise<HashedDocument[]> {
    const known = await listKnownHashes(
      this.#attempt.db,
      batch.map(({ hash }) => hash),
    )
    const unknown = batch.filter(({ hash }) => !known.has(hash.toString('hex')))
    this.#counts.unchanged += batch.length - unknown.length
    return unknown.flatMap((read) => this.#parseDocument(read))
  }

  async write(documents: readonly HashedDocument[]): Promise<void> {
    await this.#attempt.db.transaction().execute(async (transaction) => {
      await this.#attempt.requireStarter(transaction)
      const written = documents.length > 0 ? await writeDocuments(transaction, documents) : []
      const withoutFix = written.filter(({ format, patches }) => format === 'Csaf' && patches.length === 0).length
      this.#counts.imported += written.length - withoutFix
      this.#counts.without_fix += withoutFix
      this.#counts.unchanged += documents.length - written.length
      const { id } = this.#attempt
      const row = { ...this.#counts, faults: JSON.stringify(this.#faults) }
      await transaction
        .insertInto('patch_imports')
        .values({ job_id: id, ...row })
        .onConflict((conflict) => conflict.column('job_id').doUpdateSet(row))
        .execute()
    })
  }

  #parseDocument({ file, content, hash }: ReadFile): HashedDocument[] {
    try {
      const document = { ...readDocument(content, this.#format), hash }
      const { revisedAt, version = revisedAt.toISOString().slice(0, 10) } = document
      if (!this.#newest || this.#newest.revisedAt <= revisedAt) this.#newest = { revisedAt, version }
      return [document]
    } catch (error) {
      this.#refuse(file, error)
      return []
    }
  }

  #refuse({ path }: CatalogFile, error: unknown): void {
    if (!(error instanceof DocumentFault)) throw error
    this.#counts.refused++
    const file = path.toWellFormed().slice(0, 1_000)
    if (this.#faults.length < maxFaults) this.#faults.push({ file, reason: error.message.slice(0, 500).toWellFormed() })
  }

  async finish(): Promise<void> {
    const { documents, imported, without_fix: withoutFix, unchanged, refused } = this.#counts
    await this.#attempt.finish(async (db) => {
      const { revisedAt = null, version = null } = this.#newest ?? {}
      if (documents > refused)
        await sql`
          insert into patch_catalog as stored (version, released_at) values (${version}, ${revisedAt})
          on conflict on constraint patch_catalog_pkey do update set imported_at = now(),
            version = case when excluded.released_at >= stored.released_at then excluded.version else stored.version end,
            released_at = greatest(stored.released_at, excluded.released_at)`.execute(db)
      await requestAllDownloadsInUse(db, this.#attempt.configuration)
      const unfixed = withoutFix > 0 ? `${withoutFix} without a fix, ` : ''
      const message = `Read ${documents} documents: ${imported} imported, ${unfixed}${unchanged} unchanged, ${refused} refused.`
      return { status: documents > refused ? 'Success' : 'Failed', message }
    })
  }
}
