;; Strings go through three stages, each of which replaces one word.

;; Where a word begins in a text, or #f.
(define (position-of word text)
  (let ((length (string-length word)))
    (let loop ((i 0))
      (cond ((> (+ i length) (string-length text)) #f)
            ((let matches ((j 0))
               (or (= j length)
                   (and (char=? (string-ref text (+ i j)) (string-ref word j)) (matches (+ j 1)))))
             i)
            (else (loop (+ i 1)))))))

(define (replace-first text word by)
  (let ((i (position-of word text)))
    (if i
        (string-append (substring text 0 i)
                       by
                       (substring text (+ i (string-length word)) (string-length text)))
        text)))

(define (stage word by next)
  (let ((item (thread-receive)))
    (if (string? item)
        (begin
          (thread-send next (replace-first item word by))
          (stage word by next))
        (thread-send next item))))

;; The last stage tells how many strings it got, or the first that is wrong.
(define (writer parent)
  (let loop ((counted 0))
    (let ((item (thread-receive)))
      (if (string? item)
          (let ((wrote (replace-first item "Indexed" "Wrote")))
            (if (string=? wrote (string-append "Wrote " (number->string counted)))
                (loop (+ counted 1))
                (thread-send parent wrote)))
          (thread-send parent counted)))))

(define (run-pipeline items)
  (let* ((parent (current-thread))
         (begun (now))
         (writer (start (lambda () (writer parent))))
         (indexer (start (lambda () (stage "Downloaded" "Indexed" writer))))
         (downloader (start (lambda () (stage "Requested" "Downloaded" indexer)))))
    (do ((i 0 (+ i 1)))
        ((= i items))
      (thread-send downloader (string-append "Requested " (number->string i))))
    (thread-send downloader 'stop)
    (let* ((result (thread-receive)) (wall (- (now) begun)))
      (ensure "written strings" result items)
      wall)))

(define (pipeline args)
  (let ((items (count-of args "items" 1000000)))
    (repeat
      (lambda () (run-pipeline items))
      (lambda (cold warm)
        (list "wall_seconds" warm "wall_seconds_cold" cold "completed" items)))))
