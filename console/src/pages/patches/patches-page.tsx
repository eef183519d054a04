import { useLocation, useSearchParams } from 'react-router'
import { AddressTabs } from '../../components/address-tabs.tsx'
import { Page } from '../../components/page.tsx'
import { useLive } from '../../live/use-live.ts'
import { usePatchPolicyTexts } from '../../texts/patch-policy-texts.ts'
import { usePatchTexts } from '../../texts/patch-texts.ts'
import { PolicyList } from '../patch-policies/policy-list.tsx'
import { ComplianceTable } from './compliance-table.tsx'
import { CatalogImport, ImportCatalog, importParameter } from './import-catalog.tsx'
import { PatchGroups } from './patch-groups.tsx'
import { PatchesTab } from './patches-tab.tsx'

/** What computers lack: by patch, by group of computers, and the groups of patches that bring it to them. */
export function PatchesPage() {
  const patches = usePatchTexts()
  const policies = usePatchPolicyTexts()
  const { pathname } = useLocation()
  const trackingId = useSearchParams()[0].get(importParameter)
  useLive({ types: ['muster.patch.*'], refreshes: [['patches']] })
  return (
    <Page identity="patches" title={patches.title} intro={patches.intro} actions={<ImportCatalog />}>
      <CatalogImport />
      <AddressTabs
        base="/patches"
        tab={pathname.split('/')[2]}
        label={patches.title}
        search={trackingId ? `?${importParameter}=${trackingId}` : ''}
        tabs={[
          { id: 'list', label: patches.title, content: () => <PatchesTab /> },
          { id: 'compliance', label: patches.compliance.title, content: () => <ComplianceTable /> },
          { id: 'policies', label: policies.title, content: () => <PolicyList /> },
          { id: 'groups', label: patches.groupsTitle, content: () => <PatchGroups /> },
        ]}
      />
    </Page>
  )
}
