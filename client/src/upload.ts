import { DetailedError, Upload } from 'tus-js-client'
import type { MusterClient } from './client.ts'
import type { components } from './types.ts'
import { findProblem, tusRequests } from './upload-requests.ts'

export type PackageUpload = components['schemas']['PackageUpload']

/** Parts of a file, such as a Blob. They are read as they are sent. */
export type UploadContent = { readonly size: number; slice(start: number, end: number): Blob | Promise<Blob> }

export type FileToUpload = {
  name: string
  content: UploadContent
  /** Differs after the file has changed. An upload with the same one is continued, even after a restart. */
  fingerprint: string
}

export type UploadOptions = {
  /** Interrupts the upload. What has arrived stays, and a later call continues there. */
  signal?: AbortSignal
  onProgress?: (receivedBytes: number, totalBytes: number) => void
}

/** Small enough for a slow line to send one before the service ends a request. */
const chunkBytes = 8 * 1024 * 1024
const retryDelays = [0, 1_000, 3_000, 5_000, 10_000, 20_000, 30_000, 60_000]
const path = '/api/package-uploads'

/** Uploads a file, or the rest of it. Interruptions of the network and of the service are waited out. */
export async function uploadFile(
  client: MusterClient,
  file: FileToUpload,
  options: UploadOptions = {},
): Promise<PackageUpload> {
  const earlier = await findEarlierUpload(client, file)
  if (earlier && earlier.state !== 'Receiving') return earlier
  const id = await transfer(client, file, { ...options, ...(earlier && { earlierId: earlier.id }) })
  const { data } = await client.GET(`${path}/{id}`, { params: { path: { id } } })
  return data as PackageUpload
}

async function findEarlierUpload(
  client: MusterClient,
  { name, content, fingerprint }: FileToUpload,
): Promise<PackageUpload | undefined> {
  for await (const upload of client.pages(path, { query: { own: true } }))
    if (upload.fileName === name && upload.size === content.size && upload.fingerprint === fingerprint) return upload
  return undefined
}

/** Sends what is missing. Returns the id of the upload. */
function transfer(
  client: MusterClient,
  { name, content, fingerprint }: FileToUpload,
  { signal, onProgress, earlierId }: UploadOptions & { earlierId?: string },
): Promise<string> {
  const endpoint = new URL(path, client.address).href
  // Node 20 has no `Promise.withResolvers`.
  let resolve: (id: string) => void
  let reject: (reason: unknown) => void
  const promise = new Promise<string>((onSuccess, onFailure) => {
    resolve = onSuccess
    reject = onFailure
  })
  // The library gets the content from `fileReader` alone.
  const upload = new Upload(new Blob([]), {
    endpoint,
    ...(earlierId !== undefined && { uploadUrl: `${endpoint}/${earlierId}` }),
    httpStack: tusRequests(client.send),
    fileReader: { openFile: async () => sourceOf(content) },
    metadata: { filename: name, fingerprint },
    chunkSize: chunkBytes,
    retryDelays,
    onShouldRetry: isWorthRetrying,
    storeFingerprintForResuming: false,
    onProgress: onProgress ?? null,
    onError: (error) => reject(toCause(error)),
    onSuccess: () => resolve(upload.url?.split('/').at(-1) ?? ''),
  })
  const interrupt = () => {
    void upload.abort()
    reject(signal?.reason)
  }
  signal?.addEventListener('abort', interrupt, { once: true })
  if (signal?.aborted) interrupt()
  else upload.start()
  return promise.finally(() => signal?.removeEventListener('abort', interrupt))
}

function sourceOf(content: UploadContent) {
  return {
    size: content.size,
    slice: async (start: number, end: number) => ({
      value: await content.slice(start, end),
      done: end >= content.size,
    }),
    close: () => {},
  }
}

/** Where the service is busy, or the state of the upload differs from what the library knows, which it reads again then. */
const retriedStatuses = [408, 409, 423, 429, 500, 502, 503, 504]
/** Requests that ended early, or did not reach the service. */
const retriedCodes = ['UploadInterrupted', 'Offline', 'ServiceUnreachable']

function isWorthRetrying(error: Error | DetailedError): boolean {
  const problem = findProblem(toCause(error))
  return problem !== undefined && (retriedStatuses.includes(problem.status) || retriedCodes.includes(problem.code))
}

/** What the service has answered, rather than how the library puts it. */
function toCause(error: Error | DetailedError): Error {
  if (!(error instanceof DetailedError)) return error
  const answer: unknown = error.originalResponse?.getUnderlyingObject()
  return findProblem(answer) ?? error.causingError ?? error
}
