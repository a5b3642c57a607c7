import { describeDashboard } from './use-dashboard.ts'

const CAPTIONS = `WEBVTT

00:01.000 --> 00:04.000
<v Ana Torres>Good morning. Can everyone see the slide about the observatory?</v>

00:04.500 --> 00:07.000
<v Ana Torres>I made it last night, so there may be mistakes in it.</v>

00:07.500 --> 00:11.000
<v Ben Okafor>Yes. The budget is three million euros, as agreed in March.</v>

00:12.000 --> 00:16.000
<v Ana Torres>Then we start with the telescope, which needs a new mirror.</v>
`

describeDashboard(({ visitor }) => {
  test('a file that is dropped on the first page becomes a job whose transcript names the speakers', async () => {
    const { page } = await visitor.enter()
    await visitor.visit(page, '/')
    await page.getByRole('region', { name: 'Import captions' }).waitFor()
    await page.evaluate((captions) => {
      const data = new DataTransfer()
      data.items.add(new File([captions], 'Budget meeting.vtt'))
      document.body.dispatchEvent(new DragEvent('dragover', { dataTransfer: data, bubbles: true, cancelable: true }))
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))
    }, CAPTIONS)
    await page.getByRole('heading', { name: 'Budget meeting', level: 1 }).waitFor()
    const transcript = page.getByRole('region', { name: 'Transcript' })
    await transcript.getByText('Ben Okafor').waitFor()
    expect(await transcript.getByText('Ana Torres').count()).toBe(2)
    await page.getByText('Imported captions: Subtext has the text, not the recording.').waitFor()
  })

  test('a file that cannot be read is named with the reason', async () => {
    const { page } = await visitor.enter()
    await visitor.visit(page, '/')
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Choose files' }).click()
    await (await chooser).setFiles([
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Only words.') },
      { name: 'talk.vtt', mimeType: 'text/vtt', buffer: Buffer.from(CAPTIONS) },
    ])
    await page.getByText('1 file was imported.').waitFor()
    await page.getByText('The text has no times.').waitFor()
    const job = page.getByRole('link', { name: 'talk' }).first()
    await job.getByText('Imported captions').waitFor()
    expect(await job.textContent()).not.toContain('/jobs/')
  })
})
