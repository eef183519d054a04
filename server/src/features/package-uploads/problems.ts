import { problem } from '../../platform/problem.ts'

export const uploadNotFound = problem('UploadNotFound', 404, 'No upload has this id. It may have expired.')

export const notYourUpload = problem(
  'NotYourUpload',
  403,
  'Another principal has started this upload. Only that one can continue and import it.',
)

export const offsetMismatch = problem(
  'OffsetMismatch',
  409,
  'The upload continues at another position. The header Upload-Offset has it.',
)

export const uploadLocked = problem(
  'UploadLocked',
  423,
  'Another request sends bytes of this upload. Try again after the number of seconds in Retry-After.',
)

export const uploadInterrupted = problem(
  'UploadInterrupted',
  400,
  'The request ended before all of its bytes had arrived. Continue at the position that Upload-Offset has now.',
)

export const uploadLongerThanAnnounced = problem(
  'UploadLongerThanAnnounced',
  413,
  'The request has more bytes than the upload was announced with.',
)

export const uploadHashMismatch = problem(
  'UploadHashMismatch',
  422,
  'The file does not have the SHA-256 that was announced. What was received is discarded.',
)

export const uploadTooLarge = problem(
  'UploadTooLarge',
  413,
  'The file is larger than MUSTER_UPLOAD_SIZE_LIMIT allows. The property maxBytes is the limit.',
)

export const uploadQuotaExceeded = problem(
  'UploadQuotaExceeded',
  409,
  'The uploads take more room than allowed. Import or delete some. The property quota says which limit it is.',
)

export const storeFull = problem('StoreFull', 507, 'The disk of the package store has too little room for the file.')

export const tusVersionUnsupported = problem(
  'TusVersionUnsupported',
  412,
  'The service supports version 1.0.0 of tus, the protocol of resumable uploads.',
)

export const uploadNotReady = problem('UploadNotReady', 409, 'The upload is not complete yet.')

export const uploadInUse = problem('UploadInUse', 409, 'The upload is being imported.')

export const manifestInvalid = problem(
  'ManifestInvalid',
  422,
  'The manifest is not valid for this file. The property reason says why, and errors names the property.',
)

export const tooManyUploads = problem(
  'TooManyUploads',
  503,
  'Too many requests send bytes of uploads at once. Try again after the number of seconds in Retry-After.',
)

export const installerFormatUnknown = problem(
  'InstallerFormatUnknown',
  422,
  'The file is not an installer that can be read. Make the package with a manifest of your own.',
)

export const installerDamaged = problem(
  'InstallerDamaged',
  422,
  'The file is damaged. Upload it again, or get it again from its vendor. The property reason says what is wrong.',
)

export const installerUnsupported = problem(
  'InstallerUnsupported',
  422,
  'The installer has content that is not read. Make the package with a manifest of your own. The property reason says what it is.',
)

export const installerTooLarge = problem(
  'InstallerTooLarge',
  422,
  'The installer, or what it unpacks to, is too large to be read. Make the package with a manifest of your own.',
)

export const installerTooSlow = problem(
  'InstallerTooSlow',
  422,
  'Reading the installer takes too long. Make the package with a manifest of your own.',
)

export const installerNeedsTooMuchMemory = problem(
  'InstallerNeedsTooMuchMemory',
  422,
  'Reading the installer needs too much memory. Make the package with a manifest of your own.',
)

export const uploadedFileMissing = problem(
  'UploadedFileMissing',
  409,
  'The uploaded file is no longer on the disk of the service. Upload it again.',
)

export const installerReaderBusy = problem(
  'InstallerReaderBusy',
  503,
  'Other installers are being read. Try again after the number of seconds in Retry-After.',
)

export const packageDownloadNotAllowed = problem(
  'PackageDownloadNotAllowed',
  409,
  'The service must not download from this address. Upload the file, or list the host. The property reason names the setting.',
)
