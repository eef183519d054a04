import { useParams } from 'react-router'
import { AddressTabs } from '../../components/address-tabs.tsx'
import { Page } from '../../components/page.tsx'
import { useDesiredStateTexts } from '../../texts/desired-state-texts.ts'
import { ApplyTab } from './apply-tab.tsx'
import { CurrentTab } from './current-tab.tsx'
import { useStateFiles } from './use-state-files.ts'

const base = '/admin/desired-state'

/** Desired state as code: what files would change, and what is recorded now. */
export function DesiredStatePage() {
  const texts = useDesiredStateTexts()
  const { tab } = useParams()
  // They outlive a look at the other tab.
  const files = useStateFiles()
  return (
    <Page title={texts.title} intro={texts.intro} identity={base}>
      <AddressTabs
        base={base}
        tab={tab}
        label={texts.title}
        tabs={[
          { id: 'apply', label: texts.tabs.apply, content: () => <ApplyTab files={files} /> },
          { id: 'current', label: texts.tabs.current, content: () => <CurrentTab /> },
        ]}
      />
    </Page>
  )
}
