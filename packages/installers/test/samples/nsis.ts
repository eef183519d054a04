import type { SampleFolder } from './folder.ts'

/** Makes an installer with makensis. */
export async function makeNsis({ write, path, run }: SampleFolder, file = 'Sample-Setup.exe'): Promise<string> {
  await write(
    'sample.nsi',
    `Unicode true
Name "Sample Editor"
OutFile "${file}"
InstallDir "$PROGRAMFILES\\Sample Editor"
RequestExecutionLevel admin
VIProductVersion "3.4.5.0"
VIAddVersionKey "ProductName" "Sample Editor"
VIAddVersionKey "ProductVersion" "3.4.5"
VIAddVersionKey "FileVersion" "3.4.5.0"
VIAddVersionKey "CompanyName" "Example Corporation"
VIAddVersionKey "FileDescription" "Installs Sample Editor"
VIAddVersionKey "LegalCopyright" "Example Corporation"
Section
  SetOutPath $INSTDIR
  WriteUninstaller "$INSTDIR\\uninstall.exe"
SectionEnd
Section "Uninstall"
SectionEnd
`,
  )
  await run('makensis', '-V1', 'sample.nsi')
  return path(file)
}

/** Signs a program with a certificate that is made for it. */
export async function signProgram({ path, run }: SampleFolder, program: string): Promise<string> {
  const subject = '/C=DE/O=Example Corporation/CN=Example Signing'
  await run(
    ...([
      'openssl',
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      'key.pem',
      '-out',
      'cert.pem',
    ] as const),
    ...['-days', '30', '-subj', subject],
  )
  const signed = path('signed.exe')
  await run('osslsigncode', 'sign', '-certs', 'cert.pem', '-key', 'key.pem', '-in', program, '-out', signed)
  return signed
}
