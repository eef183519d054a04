import { withSlashes } from '@muster/package-format'
import type { ComputerBootPlan } from '../../features/os-deployment/find-boot-plan.ts'
import { encodeWord, fileUrl } from './boot-urls.ts'

/** What a computer boots, and what its installer needs to know. */
export type BootScriptPlan = Pick<ComputerBootPlan, 'computer' | 'boot' | 'os'> & {
  /** The address under which the computer reached the service, such as https://muster.example.org. */
  server: string
  token: string
}

// A BIOS needs the number of the disk. UEFI firmware continues with its next boot option, but only after an error: after
// a success it opens its menu.
// biome-ignore lint/suspicious/noTemplateCurlyInString: this is an iPXE setting.
const bootFromDisk = ['iseq ${platform} efi || sanboot --no-describe --drive 0x80 ||', 'exit 1']

/** The script for computers that boot nothing from the network. */
export const diskScript = joinLines(['#!ipxe', ...bootFromDisk])

/** A script that boots the image, and falls back to the disk when any step fails. */
export function buildBootScript(plan: BootScriptPlan): string {
  const { loader, kernel, initrd } = plan.boot
  const images = initrd === undefined ? [] : [initrd]
  const fetch = (file: string) => `initrd --name ${imageName(file)} ${fileUrl(plan, 'boot', file)}`
  const start = (command: string, file: string, names: string[] = []) =>
    [command, fileUrl(plan, 'boot', file), ...names, ...buildArguments(plan)].join(' ')
  const steps =
    loader === undefined
      ? // A kernel that UEFI starts finds its initrd by name.
        [
          start(
            'kernel',
            kernel,
            images.map((file) => `initrd=${imageName(file)}`),
          ),
          ...images.map(fetch),
          'boot',
        ]
      : // The loader finds the other files by their names.
        [...[kernel, ...images].map(fetch), start('chain', loader)]
  return joinLines(['#!ipxe', ...steps.map((step) => `${step} || goto disk`), ':disk', ...bootFromDisk])
}

function buildArguments(plan: BootScriptPlan): string[] {
  const { server, token, computer, boot, os } = plan
  const parameters = {
    server,
    client: String(computer.id),
    name: encodeWord(computer.name),
    report: `${server}/boot/report/${token}`,
    installation: `${server}/boot/installation/${token}`,
    ...(os && { image: fileUrl(plan, 'os', os.file), sku: String(os.index), edition: encodeWord(os.edition) }),
  }
  return [
    ...parseArguments(boot.arguments),
    ...Object.entries(parameters).map(([name, value]) => `muster.${name}=${value}`),
  ]
}

const imageName = (path: string) => (withSlashes(path).split('/').at(-1) ?? '').replace(/[^\w.-]/g, '_')

/** The arguments of the manifest. They may use iPXE settings, but cannot add commands. */
function parseArguments(text = ''): string[] {
  const isArgument = (one: string) => /^[!-~]+$/.test(one) && !/^(#.*|\|\||&&|;)$/.test(one)
  return text.split(/\s+/).filter(isArgument)
}

function joinLines(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`
}
