// Playwright and Puppeteer for Node, unmodified, over the box's CDP relay.
import assert from 'node:assert/strict'
import { chromium } from 'playwright-core'
import puppeteer from 'puppeteer-core'

const { BOX_URL, BOX_TOKEN, SITE } = process.env
const socket = `${BOX_URL.replace('http', 'ws')}/v1/browser/cdp?token=${BOX_TOKEN}`

async function withPlaywright(address, options) {
  const browser = await chromium.connectOverCDP(address, options)
  const page = await browser.contexts()[0].newPage()
  await page.goto(`${SITE}/index.html`)
  await page.click('#count')
  assert.equal(await page.innerText('#count'), '1')
  await page.goto(`${SITE}/frames.html`)
  assert.equal(await page.frameLocator('#cross').locator('#where').innerText(), 'nested')
  const own = await browser.newContext()
  const other = await own.newPage()
  await other.goto(`${SITE}/second.html`)
  assert.equal(await other.title(), 'The second page')
  await own.close()
  await page.close()
  await browser.close()
}

async function withPuppeteer(endAll) {
  const browser = await puppeteer.connect({ browserWSEndpoint: socket, defaultViewport: null })
  const page = await browser.newPage()
  await page.goto(`${SITE}/index.html`)
  await page.click('#count')
  assert.equal(await page.$eval('#count', (element) => element.textContent), '1')
  assert.equal((await page.evaluate(() => 'x'.repeat(5_000_000))).length, 5_000_000)
  await page.close()
  // Puppeteer's close asks Chromium to exit; disconnect only leaves.
  await (endAll ? browser.close() : browser.disconnect())
}

await withPlaywright(socket)
await withPlaywright(`${BOX_URL}/v1/browser/cdp`, { headers: { Authorization: `Bearer ${BOX_TOKEN}` } })
await withPuppeteer(false)
await withPuppeteer(true)
await Promise.all([withPlaywright(socket), withPuppeteer(false), withPlaywright(socket)])
console.log('fine')
