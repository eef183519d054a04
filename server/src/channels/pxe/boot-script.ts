import { withSlashes } from '../../features/packages/paths.ts'

/** What a computer is to boot, and what the installer in it is told. */
export type BootPlan = {
  /** Where the service was asked, such as https://muster.example.org. */
  server: string
  token: string
  computer: { id: number; name: string }
  boot: { loader?: string; kernel: string; initrd?: string; arguments?: string }
  /** Null where only the boot image is assigned. */
  os: { file: string; index: number; edition: string } | null
}

// Firmware with UEFI goes on to its next boot option by itself; a BIOS is told which disk.
// biome-ignore lint/suspicious/noTemplateCurlyInString: it is a setting of iPXE.
const fromDisk = ['iseq ${platform} efi && exit ||', 'sanboot --no-describe --drive 0x80 ||', 'exit']

/** For every computer that is not to boot anything else. */
export const diskScript = linesOf(['#!ipxe', ...fromDisk])

/** Boots the image; when anything of that fails, the disk. */
export function bootScript(plan: BootPlan): string {
  const { loader, kernel, initrd } = plan.boot
  const images = initrd === undefined ? [] : [initrd]
  const fetch = (file: string) => `initrd --name ${imageName(file)} ${urlOf(plan, 'boot', file)}`
  const start = (command: string, file: string, names: string[] = []) =>
    [command, urlOf(plan, 'boot', file), ...names, ...argumentsOf(plan)].join(' ')
  const steps =
    loader === undefined
      ? // Kernels that UEFI starts look for the first file system by its name.
        [
          start(
            'kernel',
            kernel,
            images.map((file) => `initrd=${imageName(file)}`),
          ),
          ...images.map(fetch),
          'boot',
        ]
      : // The loader finds the others under their names.
        [...[kernel, ...images].map(fetch), start('chain', loader)]
  return linesOf(['#!ipxe', ...steps.map((step) => `${step} || goto disk`), ':disk', ...fromDisk])
}

function argumentsOf(plan: BootPlan): string[] {
  const { server, token, computer, boot, os } = plan
  const told = {
    server,
    client: String(computer.id),
    name: word(computer.name),
    report: `${server}/boot/report/${token}`,
    ...(os && { image: urlOf(plan, 'os', os.file), sku: String(os.index), edition: word(os.edition) }),
  }
  return [...ownArguments(boot.arguments), ...Object.entries(told).map(([name, value]) => `muster.${name}=${value}`)]
}

/** The address of a file of the boot image or of the operating system. */
function urlOf({ server, token }: BootPlan, part: 'boot' | 'os', path: string): string {
  return `${server}/boot/files/${token}/${part}/${withSlashes(path).split('/').map(word).join('/')}`
}

/** iPXE knows no quotes: what could end a word, a command or a line, or stand for something else, is percent-encoded. */
const word = encodeURIComponent

const imageName = (path: string) => (withSlashes(path).split('/').at(-1) ?? '').replace(/[^\w.-]/g, '_')

/** Those of the manifest, which may use settings of iPXE, but stay arguments. */
function ownArguments(text = ''): string[] {
  const isArgument = (one: string) => /^[!-~]+$/.test(one) && !/^(#.*|\|\||&&|;)$/.test(one)
  return text.split(/\s+/).filter(isArgument)
}

function linesOf(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`
}
