import { ok, operation } from '../../../platform/operation.ts'
import { convertInThread } from '../convert-in-thread.ts'
import { wingetConverterBusy, wingetManifestInvalid } from '../problems.ts'
import { toConversion } from './answers.ts'
import { WingetConversion, WingetConversionRequest } from './schemas.ts'

export const convertWingetManifest = operation({
  id: 'convertWingetManifest',
  route: 'POST /api/winget/conversion',
  summary: 'Convert a winget manifest into packages, without keeping anything',
  description:
    'For each architecture, the best installer that installs for all users becomes a package: with its switches, its hash, its return ' +
    'codes, and how Windows lists the program. winget is not needed anywhere. Upload the file at `url` with its `sha256`, and ' +
    'make the package with `fileName` and `manifest`; or, if `downloadFault` is null, let downloadPackage do it. ' +
    'Installers that need a person are listed with the reason.',
  role: 'package.write',
  execution: { kind: 'Read' },
  body: WingetConversionRequest,
  returns: ok(WingetConversion),
  problems: [wingetManifestInvalid, wingetConverterBusy],
  extension: true,
  async handle({ body: { files, ...choice }, services: { configuration } }) {
    return toConversion(await convertInThread(files, choice), configuration)
  },
})
