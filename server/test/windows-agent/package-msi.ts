import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openTemporaryFolder } from '../world/temporary-folder.ts'

/** The product code of each version, and the upgrade code of all of them. */
const productCodes: Record<string, string> = {
  '1.0.0': '5D1B9A0E-93B5-4E8C-9E9D-0A5C7C1B1001',
  '2.0.0': '5D1B9A0E-93B5-4E8C-9E9D-0A5C7C1B1002',
}
const upgradeCode = '5D1B9A0E-93B5-4E8C-9E9D-0A5C7C1B1000'

/** An MSI that installs `C:\Program Files\Greeting\greeting.txt` with its version as content, and replaces earlier versions. */
export async function buildGreetingMsi(version: '1.0.0' | '2.0.0'): Promise<Buffer> {
  const folder = await openTemporaryFolder()
  try {
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'greeting.txt'), version)
    await writeFile(join(folder, 'greeting.wxs'), sourceOf(version))
    await promisify(execFile)('wixl', ['--arch', 'x64', '--output', 'greeting.msi', 'greeting.wxs'], { cwd: folder })
    return await readFile(join(folder, 'greeting.msi'))
  } finally {
    await rm(folder, { recursive: true })
  }
}

function sourceOf(version: string): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<Wix xmlns="http://schemas.microsoft.com/wix/2006/wi">
  <Product Id="${productCodes[version]}" Name="Greeting" Language="1033" Version="${version}" Manufacturer="Example"
           UpgradeCode="${upgradeCode}">
    <Package InstallerVersion="500" Compressed="yes" InstallScope="perMachine"/>
    <Media Id="1" Cabinet="greeting.cab" EmbedCab="yes"/>
    <Upgrade Id="${upgradeCode}">
      <UpgradeVersion Minimum="0.0.0" IncludeMinimum="yes" Maximum="${version}" IncludeMaximum="no" Property="OLDERVERSION"/>
    </Upgrade>
    <Directory Id="TARGETDIR" Name="SourceDir">
      <Directory Id="ProgramFiles64Folder">
        <Directory Id="INSTALLDIR" Name="Greeting">
          <Component Id="Greeting" Guid="5D1B9A0E-93B5-4E8C-9E9D-0A5C7C1B1003" Win64="yes">
            <File Id="GreetingFile" Name="greeting.txt" Source="greeting.txt" KeyPath="yes"/>
          </Component>
        </Directory>
      </Directory>
    </Directory>
    <Feature Id="Complete" Level="1"><ComponentRef Id="Greeting"/></Feature>
    <InstallExecuteSequence><RemoveExistingProducts After="InstallInitialize"/></InstallExecuteSequence>
  </Product>
</Wix>
`
}
