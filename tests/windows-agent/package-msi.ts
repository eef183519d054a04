import { execFile } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openTemporaryFolder } from '../../server/test/world/temporary-folder.ts'

const run = promisify(execFile)

/** What an MSI of these tests is: a product that installs a file with its version as content. */
export type TestMsi = {
  /** Also the name of its folder in `C:\Program Files`. */
  name: string
  version: string
  /** Four digits of its product code, which every version has of its own. */
  code: string
  /** Four digits of the code that all of its versions have. A later version replaces an earlier one. */
  family: string
  isFor32Bits?: boolean
  /** The installation fails, with this message. */
  refusal?: string
  needsRestart?: boolean
  /** Properties whose values the installation writes to the key `HKLM\Software\<name>`, after `is `: a `#` would begin a number. */
  recorded?: readonly string[]
}

export const productCodeOf = ({ code }: Pick<TestMsi, 'code'>) => `{5D1B9A0E-93B5-4E8C-9E9D-0A5C7C1B${code}}`

export async function buildTestMsi(msi: TestMsi): Promise<Buffer> {
  const folder = await openTemporaryFolder()
  const file = join(folder, 'test.msi')
  try {
    await writeFile(join(folder, 'content.txt'), msi.version)
    await writeFile(join(folder, 'test.wxs'), sourceOf(msi))
    await run('wixl', ['--arch', msi.isFor32Bits ? 'x86' : 'x64', '--output', 'test.msi', 'test.wxs'], { cwd: folder })
    // wixl does not know this action.
    const restart = "INSERT INTO `InstallExecuteSequence` (`Action`, `Sequence`) VALUES ('ScheduleReboot', 6500)"
    if (msi.needsRestart) await run('msibuild', [file, '-q', restart])
    return await readFile(file)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** An MSI that installs `C:\Program Files\Greeting\greeting.txt`. */
export const buildGreetingMsi = (version: '1.0.0' | '2.0.0') =>
  buildTestMsi({ name: 'Greeting', version, family: '1000', code: version === '1.0.0' ? '1001' : '1002' })

function sourceOf({ name, version, family, isFor32Bits = false, refusal, recorded = [], ...codes }: TestMsi): string {
  const values = recorded.map(
    (one) => `<RegistryValue Root="HKLM" Key="Software\\${name}" Name="${one}" Type="string" Value="is [${one}]"/>`,
  )
  const upgradeCode = productCodeOf({ code: family })
  const component = productCodeOf({ code: `${family.slice(0, 3)}9` })
  const [folder, win64] = isFor32Bits ? ['ProgramFilesFolder', 'no'] : ['ProgramFiles64Folder', 'yes']
  return `<?xml version="1.0" encoding="utf-8"?>
<Wix xmlns="http://schemas.microsoft.com/wix/2006/wi">
  <Product Id="${productCodeOf(codes)}" Name="${name}" Language="1033" Version="${version}" Manufacturer="Example"
           UpgradeCode="${upgradeCode}">
    <Package InstallerVersion="500" Compressed="yes" InstallScope="perMachine"/>
    <Media Id="1" Cabinet="test.cab" EmbedCab="yes"/>
    ${refusal === undefined ? '' : `<Condition Message="${refusal}">0</Condition>`}
    <Upgrade Id="${upgradeCode}">
      <UpgradeVersion Minimum="0.0.0" IncludeMinimum="yes" Maximum="${version}" IncludeMaximum="no" Property="OLDERVERSION"/>
    </Upgrade>
    <Directory Id="TARGETDIR" Name="SourceDir">
      <Directory Id="${folder}">
        <Directory Id="INSTALLDIR" Name="${name}">
          <Component Id="Content" Guid="${component}" Win64="${win64}">
            <File Id="ContentFile" Name="${name.toLowerCase()}.txt" Source="content.txt" KeyPath="yes"/>
            ${values.join('\n            ')}
          </Component>
        </Directory>
      </Directory>
    </Directory>
    <Feature Id="Complete" Level="1"><ComponentRef Id="Content"/></Feature>
    <InstallExecuteSequence><RemoveExistingProducts After="InstallInitialize"/></InstallExecuteSequence>
  </Product>
</Wix>
`
}
