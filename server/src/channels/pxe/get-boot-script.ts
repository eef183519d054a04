import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { effectiveAssignments } from '../../features/assignments/effective-assignments.ts'
import { ok, operation } from '../../platform/operation.ts'
import { closed, Type, text } from '../../platform/schema.ts'
import { type BootPlan, bootScript, diskScript } from './boot-script.ts'
import { issueBootToken } from './boot-token.ts'

type Found = Pick<BootPlan, 'boot' | 'os' | 'computer'> & { imageId: number; skuId: number | null }

export const getBootScript = operation({
  id: 'getBootScript',
  route: 'GET /boot/ipxe/:mac',
  summary: 'Get the iPXE script for a computer',
  description: 'Every computer gets a script: whoever is unknown or is not to be installed boots from its disk.',
  role: 'no token',
  rateLimit: ({ bootRateLimit }) => bootRateLimit,
  params: closed({ mac: text(255, '02-00-00-00-00-17', 'MAC address in any spelling') }),
  returns: ok(Type.String({ examples: [diskScript] })),
  answerType: 'text/plain; charset=utf-8',
  async handle({ params, db, services, request }) {
    const { host, protocol } = request
    const mac = macKey(params.mac)
    const found = mac && /^[\w.:[\]-]+$/.test(host) ? await findBootOf(db, mac) : undefined
    if (!found) return diskScript
    const { imageId, skuId, ...plan } = found
    const token = await issueBootToken(services.keys, { clientId: plan.computer.id, imageId, skuId })
    return bootScript({ server: `${protocol}://${host}`, token, ...plan })
  },
})

/** As the database compares addresses; PXE itself puts the type of the network before it. */
function macKey(spelling: string): string | undefined {
  return /^(?:01)?([\da-f]{12})$/.exec(spelling.toLowerCase().replace(/[^\da-z]/g, ''))?.[1]
}

const computer = sql<{ owner_id: number }>`select computers.id as owner_id`

/** Undefined also when a package is not handed out: an installation that cannot be finished is not begun. */
async function findBootOf(db: Database, mac: string): Promise<Found | undefined> {
  const { rows } = await sql<Found>`
    select image.id as "imageId", boot.manifest -> 'boot' as boot, sku.id as "skuId",
      jsonb_build_object('id', computers.id, 'name', computers.name) as computer,
      case when sku.id is not null then jsonb_build_object('file', os.manifest #>> '{image,file}',
        'index', sku.sku_index, 'edition', sku.edition) end as os
    from computers
      join lateral (${effectiveAssignments('pxeBootImage', 'computer', computer)}) as effective_image on true
      join pxe_boot_images image on image.id = effective_image.object_id
      join packages boot on boot.id = image.package_id
      left join lateral (${effectiveAssignments('osImageSku', 'computer', computer)}) as effective_sku on true
      left join os_image_skus sku on sku.id = effective_sku.object_id
      left join packages os on os.id = sku.package_id
    where computers.mac_key = ${mac} and computers.is_pxe_active
      and boot.is_operational and boot.hash_state = 'Current'
      and (os.id is null or (os.is_operational and os.hash_state = 'Current'))`.execute(db)
  return rows[0]
}
