/** A file or folder of an archive. */
export type ArchiveEntry = {
  path: string
  kind: 'file' | 'folder' | 'other'
  /** The content of a file, which has to be read before the next entry. */
  content: AsyncIterable<Buffer>
}
