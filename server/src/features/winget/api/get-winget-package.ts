import { ok, operation } from '../../../platform/operation.ts'
import { closed, Type, text } from '../../../platform/schema.ts'
import { convertInThread } from '../convert-in-thread.ts'
import { readMirroredManifest } from '../mirror.ts'
import { wingetConverterBusy, wingetManifestInvalid, wingetPackageNotFound } from '../problems.ts'
import { toConversion } from './answers.ts'
import { choiceProperties, IdentifierPath, MirroredWingetPackage } from './schemas.ts'

export const getWingetPackage = operation({
  id: 'getWingetPackage',
  route: 'GET /api/winget/packages/:identifier',
  summary: 'Convert a package of the mirror of winget manifests, and list its versions',
  role: 'package.write',
  params: IdentifierPath,
  query: closed({
    version: Type.Optional(text(128, '24.08', 'The version to convert; the latest by default')),
    ...choiceProperties,
  }),
  returns: ok(MirroredWingetPackage),
  problems: [wingetPackageNotFound, wingetManifestInvalid, wingetConverterBusy],
  extension: true,
  async handle({ params: { identifier }, query: { version, ...choice }, services: { configuration } }) {
    const { files, versions } = await readMirroredManifest(configuration, identifier, version)
    return { ...toConversion(await convertInThread(files, choice), configuration), versions }
  },
})
