import { formatMacAddress } from '../../../platform/mac-address.ts'
import { NetworkAdapter } from '../items.ts'
import { hardwareSection } from './section.ts'

export const networkAdaptersSection = hardwareSection(
  'networkAdapters',
  NetworkAdapter,
  'network_adapters',
  (adapter) => ({
    service_name: adapter.serviceName,
    description: adapter.description,
    ip_address: adapter.ipAddress,
    mac_address: adapter.macAddress && formatMacAddress(adapter.macAddress),
    subnet_mask: adapter.subnetMask,
    default_gateway: adapter.defaultGateway,
    dns_server: adapter.dnsServer,
    connection_type: adapter.connectionType,
    is_dhcp: adapter.isDhcp,
  }),
)
