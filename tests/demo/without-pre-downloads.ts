/** The data set downloads a package ahead, and the tour replaces that package. */
export const unseenPreDownloadValues = [
  ...['packageId', 'packageName', 'version', 'total', 'ready', 'fetching', 'failed', 'waiting', 'bytes'].map(
    (name) => `PreDownload.${name}`,
  ),
  'PreDownload.earliestStartUtc',
  'ExplainedWork.preDownload',
  ...['state', 'fetchedBytes', 'message', 'reportedUtc'].map((name) => `PreDownloadOfWork.${name}`),
  ...['Waiting', 'Fetching', 'Ready', 'Failed'].map((state) => `PreDownloadState=${state}`),
]

/** Few downloads of simulated computers fail, and not in each run. */
export const unusedPreDownloadColumns = ['pre_downloads.message']
