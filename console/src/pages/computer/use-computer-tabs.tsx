import { lazy } from 'react'
import type { AddressTab } from '../../components/address-tabs.tsx'
import { useTexts } from '../../texts/texts.tsx'
import type { ComputerPageData } from './computer-data.ts'
import { AuditTab } from './tabs/audit-tab.tsx'
import { HistoryTab } from './tabs/history-tab.tsx'
import { InventoryTab } from './tabs/inventory-tab.tsx'
import { IssuesTab } from './tabs/issues-tab.tsx'
import { SecurityTab } from './tabs/security-tab.tsx'
import { SoftwareTab } from './tabs/software-tab.tsx'
import { SummaryTab } from './tabs/summary-tab.tsx'
import { VariablesTab } from './tabs/variables-tab.tsx'

// These have the most texts, and wait for an answer anyway.
const PatchesTab = lazy(async () => ({ default: (await import('./tabs/patches-tab.tsx')).PatchesTab }))
const VulnerabilitiesTab = lazy(async () => ({
  default: (await import('./tabs/vulnerabilities-tab.tsx')).VulnerabilitiesTab,
}))

/** The tabs of a computer. All but the first two read something when they are opened. */
export function useComputerTabs(page: ComputerPageData): AddressTab[] {
  const { tabs } = useTexts().computer
  const { id } = page.computer
  const withCount = (label: string, count: number) => (count > 0 ? `${label} (${count})` : label)
  return [
    { id: 'summary', label: tabs.summary, content: () => <SummaryTab page={page} /> },
    { id: 'software', label: tabs.software, content: () => <SoftwareTab page={page} /> },
    { id: 'patches', label: tabs.patches, content: () => <PatchesTab id={id} /> },
    { id: 'vulnerabilities', label: tabs.vulnerabilities, content: () => <VulnerabilitiesTab id={id} /> },
    { id: 'inventory', label: tabs.inventory, content: () => <InventoryTab id={id} /> },
    { id: 'security', label: tabs.security, content: () => <SecurityTab id={id} /> },
    { id: 'issues', label: withCount(tabs.issues, page.issues.length), content: () => <IssuesTab id={id} /> },
    { id: 'history', label: tabs.history, content: () => <HistoryTab id={id} /> },
    { id: 'variables', label: tabs.variables, content: () => <VariablesTab computer={page.computer} /> },
    { id: 'audit', label: tabs.audit, content: () => <AuditTab id={id} /> },
  ]
}
