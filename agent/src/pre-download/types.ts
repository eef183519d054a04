import type { ContactAnswer, PreDownloadReport } from '../protocol.ts'

/** What is downloaded before its work is due. */
export type PreDownloads = {
  /** What the next contact reports; undefined if the server has nothing to announce. */
  reports(): Promise<PreDownloadReport[] | undefined>
  /**
   * Takes over what an answer announces. The content of work that was handed out stays: from now on it is kept as long as other
   * downloads. Returns whether the server waits for another contact.
   */
  accept(answer: ContactAnswer, leased: readonly { workId: number }[]): Promise<boolean>
  /** Ends the download in progress, which can be continued. */
  pause(): Promise<void>
  /** Continues, and tries again what has failed. */
  resume(): Promise<void>
  /** The hashes of files that are not removed because of their age. An announcement that is not renewed ends as well. */
  keptHashes(maxAgeDays: number): Promise<ReadonlySet<string>>
}
