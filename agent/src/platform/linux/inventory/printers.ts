import { cleanText, fieldsOf, whole } from '../../common/texts.ts'
import type { SystemAccess } from './system-access.ts'

/** The CUPS queues; none without CUPS. */
export async function collectPrinters(system: SystemAccess) {
  const listing = (await system.output('lpstat', '-l', '-p', '-v', '-d')) ?? ''
  const [, standard] = /^system default destination: (\S+)/m.exec(listing) ?? []
  const devices = [...listing.matchAll(/^device for (\S+): (\S+)/gm)]
  const items = await Promise.all(
    devices.map(async ([, name = '', uri = '']) => {
      const { description, location } = detailsOf(listing, name)
      const driver = driverOf(await system.text(`/etc/cups/ppd/${name}.ppd`))
      return {
        name: cleanText(name),
        port: cleanText(uri, 1000),
        shareName: null,
        ...driver,
        comment: cleanText(location, 1000),
        caption: cleanText(description, 1000),
        isNetworkPrinter: /^(ipps?|https?|socket|lpd|smb|dnssd):/.test(uri),
        isDefault: name === standard,
      }
    }),
  )
  return { items: items.toSorted((a, b) => ((a.name ?? '') < (b.name ?? '') ? -1 : 1)) }
}

function detailsOf(listing: string, name: string) {
  const start = listing.indexOf(`printer ${name} `)
  const [, ...lines] = start < 0 ? [] : listing.slice(start).split('\n')
  const end = lines.findIndex((line) => !/^\s/.test(line))
  const fields = fieldsOf(lines.slice(0, end < 0 ? undefined : end).join('\n'), ':')
  return { description: fields.Description, location: fields.Location }
}

/** Reads the PostScript printer description (PPD). */
function driverOf(ppd: string | undefined) {
  const fields = fieldsOf(ppd, ':')
  const [, horizontal, vertical] = /^(\d+)(?:x(\d+))?dpi/.exec(fields['*DefaultResolution'] ?? '') ?? []
  const capabilities = [
    fields['*ColorDevice'] === 'True' && 'Color',
    /^\*(OpenUI \*)?(Default)?Duplex\b/m.test(ppd ?? '') && 'Duplex',
  ]
  return {
    driverName: cleanText(fields['*NickName'] ?? fields['*ModelName']),
    driverVersion: cleanText(fields['*FileVersion'], 100),
    capabilityDescriptions: cleanText(capabilities.filter(Boolean).join(', '), 1000),
    horizontalResolution: whole(horizontal),
    verticalResolution: whole(vertical ?? horizontal),
  }
}
