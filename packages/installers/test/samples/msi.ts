import type { SampleFolder } from './folder.ts'

export type SampleMsi = {
  name: string
  version: string
  architecture: 'x86' | 'x64'
  scope: 'perMachine' | 'perUser'
  /** Number of properties, which decides how long the tables are. */
  propertyCount?: number
}

export const productCode = '{5D1B9A0E-93B5-4E8C-9E9D-0A5C7C1B0001}'
export const upgradeCode = '{5D1B9A0E-93B5-4E8C-9E9D-0A5C7C1B1000}'

/** Makes an MSI file with wixl, from a description in the language of WiX. */
export async function makeMsi(
  { write, path, run }: SampleFolder,
  msi: SampleMsi,
  file = 'sample.msi',
): Promise<string> {
  await write('content.txt', 'content')
  await write('sample.wxs', sourceOf(msi))
  await run('wixl', '--arch', msi.architecture, '--output', file, 'sample.wxs')
  return path(file)
}

function sourceOf({ name, version, scope, architecture, propertyCount = 1 }: SampleMsi): string {
  const properties = Array.from(
    { length: propertyCount },
    (_, index) => `<Property Id="SAMPLE${index}" Value="value ${index}"/>`,
  )
  const [folder, win64] = architecture === 'x86' ? ['ProgramFilesFolder', 'no'] : ['ProgramFiles64Folder', 'yes']
  return `<?xml version="1.0" encoding="utf-8"?>
<Wix xmlns="http://schemas.microsoft.com/wix/2006/wi">
  <Product Id="${productCode}" Name="${name}" Language="1031" Version="${version}" Manufacturer="Beispiel GmbH"
           UpgradeCode="${upgradeCode}">
    <Package InstallerVersion="500" Compressed="yes" InstallScope="${scope}"/>
    <Media Id="1" Cabinet="sample.cab" EmbedCab="yes"/>
    <Condition Message="This software needs Windows 10.">VersionNT &gt;= 603</Condition>
    ${properties.join('\n    ')}
    <Directory Id="TARGETDIR" Name="SourceDir">
      <Directory Id="${folder}">
        <Directory Id="INSTALLDIR" Name="Sample">
          <Component Id="Content" Guid="{5D1B9A0E-93B5-4E8C-9E9D-0A5C7C1B1009}" Win64="${win64}">
            <File Id="ContentFile" Name="content.txt" Source="content.txt" KeyPath="yes"/>
          </Component>
        </Directory>
      </Directory>
    </Directory>
    <Feature Id="Complete" Level="1"><ComponentRef Id="Content"/></Feature>
  </Product>
</Wix>
`
}
