/** Another attempt at the same address would fail, too. The message is a sentence for people. */
export class DownloadRefused extends Error {
  override name = 'DownloadRefused'
}

/** The transfer may succeed later: the network or the other server failed. */
export class DownloadInterrupted extends Error {
  override name = 'DownloadInterrupted'
}
