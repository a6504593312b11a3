;; Arguments, the watch, and what a program says when something is wrong.

(define (leave code parts)
  (let ((port (current-error-port)))
    (for-each (lambda (part) (display part port)) parts)
    (display "." port)
    (newline port)
    (exit code)))

;; Ends the program: it was asked for what cannot be done.
(define (bad-argument . parts) (leave 2 parts))

(define (ensure what actual expected)
  (if (not (equal? actual expected))
      (leave 1 (list what ": " actual " instead of " expected))))

(define (index-of text char)
  (let loop ((i 0))
    (cond ((= i (string-length text)) #f)
          ((char=? (string-ref text i) char) i)
          (else (loop (+ i 1))))))

;; name=value as a pair.
(define (argument word)
  (let ((equals (index-of word #\=)))
    (if equals
        (cons (substring word 0 equals) (substring word (+ equals 1) (string-length word)))
        (bad-argument "\"" word "\" is not of the form name=value"))))

(define (text-of args name preset)
  (let ((entry (assoc name args)))
    (if entry (cdr entry) preset)))

;; A whole number of at least 1, with or without the "ms" of a duration.
(define (count-of args name preset)
  (let* ((text (text-of args name (number->string preset)))
         (length (string-length text))
         (digits (if (and (> length 2) (string=? (substring text (- length 2) length) "ms"))
                     (substring text 0 (- length 2))
                     text))
         (n (string->number digits)))
    (if (and n (exact? n) (integer? n) (>= n 1))
        n
        (bad-argument name "=" text " is not a whole number of at least 1"))))

;; Scheme leaves out a zero before or after the point, which JSON does not allow.
(define (json-number n)
  (let* ((text (number->string n))
         (text (cond ((char=? (string-ref text 0) #\.) (string-append "0" text))
                     ((and (> (string-length text) 1) (string=? (substring text 0 2) "-."))
                      (string-append "-0" (substring text 1 (string-length text))))
                     (else text)))
         (last (- (string-length text) 1)))
    (if (char=? (string-ref text last) #\.)
        (substring text 0 last)
        text)))

;; Seconds since the program began.
(define (now) (real-time))

(define (insert value sorted)
  (if (or (null? sorted) (<= value (car sorted)))
      (cons value sorted)
      (cons (car sorted) (insert value (cdr sorted)))))

(define (median values)
  (let loop ((values values) (sorted '()))
    (if (pair? values)
        (loop (cdr values) (insert (car values) sorted))
        (list-ref sorted (quotient (length sorted) 2)))))

;; Runs once, then at least three times and for at least three seconds; a run gives its seconds.
;; Hands over the first time and the median of the others.
(define (repeat run receiver)
  (let* ((cold (run)) (begun (now)))
    (let loop ((warm '()))
      (if (and (>= (length warm) 3) (>= (- (now) begun) 3))
          (receiver cold (median warm))
          (loop (cons (run) warm))))))

;; The bytes that this process has resident; 0 where nobody tells.
(define (resident)
  (if (file-exists? "/proc/self/status")
      (call-with-input-file "/proc/self/status"
        (lambda (port)
          (let loop ()
            (let ((line (read-line port)))
              (cond ((eof-object? line) 0)
                    ((and (> (string-length line) 6) (string=? (substring line 0 6) "VmRSS:"))
                     (* 1024 (with-input-from-string (substring line 6 (string-length line)) read)))
                    (else (loop)))))))
      0))

(define (start body) (thread-start! (make-thread body)))

(define (sum-below n) (quotient (* n (- n 1)) 2))
