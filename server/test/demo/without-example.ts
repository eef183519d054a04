/** Values of answers that neither the data set nor the tour shows, by the reason. */
export const unseenValues: Record<string, string[]> = {
  'A real start makes its own machine the master server: test/depots/master-server.test.ts': [
    'CatalogComputerRole.role=MasterServer',
    'ComputerManagement.role=MasterServer',
    'DepotServer.role=MasterServer',
    'GroupDepotServer.role=MasterServer',
  ],
  'A service in production checks itself in the background: test/platform/health': [
    'HealthCheckResult.code',
    'HealthCheckResult.detail',
    'HealthCheckResult.name',
    'HealthCheckResult.sinceUtc',
    'HealthCheckResult.status',
    'HealthCheckResult.status=failed',
    'HealthCheckResult.status=passed',
    'HealthCheckResult.status=warning',
    'Readiness.status=degraded',
    'Readiness.status=unavailable',
  ],
  'Needs an identity provider: test/principals/provider-tokens.test.ts, test/web': [
    'OidcLoginProvider.displayName',
    'OidcLoginProvider.name',
    'WhoAmI.kind=client',
    'WhoAmI.kind=user',
  ],
  'Agents of others: test/channels/fusion': [
    'UemAgentInventory.agentKind=FusionInventory',
    'UemAgentInventory.agentKind=GLPI',
    'UemAgentInventory.agentKind=OCS',
  ],
}

/** Columns without a value beside their default, by the reason. `table.*` means all columns of a table. */
export const unusedColumns: Record<string, string[]> = {
  'Agents of others: test/channels/fusion': ['fusion_devices.*', 'fusion_jobs.*', 'file_digests.*', 'file_parts.*'],
}
