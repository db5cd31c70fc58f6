// Search from a disk. A page of file:// may neither fetch the index nor start a worker, so the index comes as a script, and the worker's script
// runs in a hidden frame of the same page.
var __search;
(function () {
    if (location.protocol !== 'file:') return
    var index = new URL(document.currentScript.dataset.index, location.href).href
    var load = function (into, address, then) {
        var script = into.createElement('script')
        script.src = address
        script.onload = then
        into.head.appendChild(script)
    }
    __search = {
        index: new Promise(function (resolve) {
            load(document, index, function () { resolve(window.__search_index) })
        })
    }
    window.Worker = function (address) {
        var worker = new EventTarget(), waiting = [], frame = document.createElement('iframe')
        address = new URL(address, location.href).href
        frame.hidden = true
        var start = function () {
            var inside = frame.contentWindow, listeners = []
            inside.addEventListener = function (type, listener) { if (type === 'message') listeners.push(listener) }
            inside.postMessage = function (data) {
                setTimeout(function () {
                    var event = new MessageEvent('message', { data: data })
                    worker.dispatchEvent(event)
                    if (worker.onmessage) worker.onmessage(event)
                })
            }
            inside.importScripts = function () { return Promise.resolve() }
            load(frame.contentDocument, address, function () {
                worker.postMessage = function (data) {
                    setTimeout(function () { listeners.forEach(function (listener) { listener({ data: data }) }) })
                }
                waiting.forEach(worker.postMessage)
            })
        }
        worker.postMessage = function (data) { waiting.push(data) }
        worker.terminate = function () { frame.remove() }
        document.addEventListener('DOMContentLoaded', function () { document.body.appendChild(frame); start() })
        if (document.readyState !== 'loading') { document.body.appendChild(frame); start() }
        return worker
    }
})()
