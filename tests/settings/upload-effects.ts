import type { Effects } from './effects-type.ts'

/** The settings of operations on uploads, and on trials of the packages that are made of them. */
export const uploadEffects: Effects = {
  createPackageTrial: {
    computerId:
      'package-trials/package-trials.test.ts: a trial is work of its computer, and its result with log, detections and leftovers stands on the package',
    expiresInMinutes: 'package-trials/package-trials.test.ts: a trial says until when it waits for its computer',
  },
  createPackageUpload: {
    fileName: 'tests/command-line/packages-add.test.ts: a file with its manifest is uploaded and imported',
    size: 'package-uploads/transfer.test.ts: more bytes than announced are refused, and what was announced stays',
    fingerprint:
      'tests/client/upload.test.ts: an upload that was interrupted continues in another run, and a complete one is not sent again',
    sha256:
      'package-uploads/transfer.test.ts: content without the announced SHA-256 is discarded, and the right one can be sent afterwards',
  },
  downloadPackage: {
    'url, fileName, manifest':
      'package-uploads/download-package.test.ts: a file from a listed host becomes a package with this manifest, which another person releases',
    sha256: 'package-uploads/download-package.test.ts: a file with another hash is discarded, and nothing of it stays',
    overwrite: 'package-uploads/download-package.test.ts: a second package of the same name needs overwrite',
  },
  importPackageUpload: {
    fileName:
      'package-uploads/propose-package.test.ts: the proposed package of a real deb file is created with its file under the proposed name',
    manifest:
      'package-uploads/import-upload.test.ts: a file with a manifest becomes the same package as a folder with both, and the upload ends',
    overwrite:
      'package-uploads/import-upload.test.ts: a manifest with a fault is refused at once, and an import that fails leaves the upload for another attempt',
  },
}
