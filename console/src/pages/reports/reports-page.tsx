import { useLocation } from 'react-router'
import { AddressTabs } from '../../components/address-tabs.tsx'
import { Page } from '../../components/page.tsx'
import { useHasRole } from '../../shell/session-context.ts'
import { useReportTexts } from '../../texts/report-texts.ts'
import { LicenceList } from './licence-list.tsx'
import { MailServerTab } from './mail-server-tab.tsx'
import { ReportList } from './report-list.tsx'

export function ReportsPage() {
  const texts = useReportTexts()
  const { pathname } = useLocation()
  const isAdministrator = useHasRole('admin.manage')
  const tabs = [
    { id: 'reports', label: texts.tabs.reports, content: () => <ReportList /> },
    { id: 'licences', label: texts.tabs.licences, content: () => <LicenceList /> },
    ...(isAdministrator ? [{ id: 'mail-server', label: texts.tabs.mail, content: () => <MailServerTab /> }] : []),
  ]
  return (
    <Page title={texts.title} intro={texts.intro}>
      <AddressTabs base="/reports" tab={pathname.split('/')[2]} label={texts.title} tabs={tabs} />
    </Page>
  )
}
